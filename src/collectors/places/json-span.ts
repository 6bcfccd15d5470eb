/** A value in a JSON text: where it begins and ends, and where its entry begins, with its key. */
export type Span = { from: number; start: number; end: number }

/**
 * Returns the values that a JSON Pointer leads through, the whole text first. Ends early where it leads nowhere. Numbers and
 * spaces stay as they are written, so nothing is parsed. @throws SyntaxError where the text is not JSON on the way there
 */
export function spansOf(text: string, steps: string[]): Span[] {
  const start = skipSpace(text, 0)
  const spans: Span[] = [{ from: start, start, end: endOfValue(text, start) }]
  for (const step of steps) {
    const found = entryOf(text, spans.at(-1)!.start, step)
    if (!found) break
    spans.push(found)
  }
  return spans
}

/** The entry of an object or a list; of a key that is there twice the last one, as parsers take it. */
function entryOf(text: string, at: number, step: string): Span | undefined {
  const open = text[at]
  if (open !== '{' && open !== '[') return undefined
  let found: Span | undefined
  let next = skipSpace(text, at + 1)
  for (let index = 0; text[next] !== '}' && text[next] !== ']'; index++) {
    const from = next
    let key = String(index)
    if (open === '{') {
      const end = endOfValue(text, from)
      key = JSON.parse(text.slice(from, end)) as string
      next = skipSpace(text, skipSpace(text, end) + 1)
    }
    const end = endOfValue(text, next)
    if (key === step) found = { from, start: next, end }
    if (found && open === '[') return found
    next = skipSpace(text, end)
    if (text[next] === ',') next = skipSpace(text, next + 1)
    else if (text[next] !== '}' && text[next] !== ']') throw new SyntaxError('a comma or an end was expected')
  }
  return found
}

function skipSpace(text: string, at: number): number {
  let next = at
  while (next < text.length && ' \t\r\n\ufeff'.includes(text[next]!)) next++
  return next
}

/** Where a value ends: strings are skipped, brackets counted. */
function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at)
  if (text[at] !== '{' && text[at] !== '[') {
    let end = at
    while (end < text.length && !',]} \t\r\n'.includes(text[end]!)) end++
    if (end === at) throw new SyntaxError('a value was expected')
    return end
  }
  let depth = 0
  for (let next = at; next < text.length; next++) {
    const sign = text[next]
    if (sign === '"') next = endOfString(text, next) - 1
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return next + 1
  }
  throw new SyntaxError('the text ends inside a value')
}

function endOfString(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++
    else if (text[next] === '"') return next + 1
  }
  throw new SyntaxError('the text ends inside a string')
}
