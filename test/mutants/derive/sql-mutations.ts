/** One small change of a text: what stands between two offsets becomes another text. */
export type Mutation = { start: number; end: number; text: string }
type Token = { text: string; start: number; end: number; depth: number }

const TOKEN = /--.*|'(?:[^']|'')*'|§+|"[^"]*"|[a-z_][\w.]*|\d+(?:\.\d+)?|::|<=|>=|<>|->>|->|@>|\|\||[^\s]/gi
/** What ends a condition, at its own depth. */
const ENDS = new Set(
  'where group order limit offset for returning union intersect except having on join left cross inner window set from using then else end when do ; , loop'.split(
    ' ',
  ),
)
const TURNED: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '<>': '=', '=': '<>' }
const OTHER_WORD: Record<string, string> = {
  min: 'max',
  max: 'min',
  greatest: 'least',
  least: 'greatest',
  true: 'false',
  false: 'true',
  exists: 'not exists',
  bool_and: 'bool_or',
  bool_or: 'bool_and',
}
const FIRST_OF = new Set(['coalesce', 'nullif'])

/**
 * Returns the small bugs that SQL can have: a condition left out or turned, another order, a lock, a limit, an assignment or
 * a default less, another literal.
 * @param sql values between its parts are written as `§`, at their length
 * @param source the same text with its values
 */
export function sqlMutations(sql: string, source: string): Mutation[] {
  const tokens = tokensOf(sql)
  return tokens
    .flatMap((_, i) => mutationsAt(tokens, i))
    .map((found) => ({ ...found, text: found.text.replace(KEPT, (_, from, to) => source.slice(+from, +to)) }))
    .filter(({ start, end, text }) => text !== source.slice(start, end))
}

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const { 0: text, index: start } of sql.matchAll(TOKEN)) {
    if (text.startsWith('--')) continue
    if (text === ')' || text === ']') depth--
    tokens.push({ text: text.startsWith("'") ? text : text.toLowerCase(), start, end: start + text.length, depth })
    if (text === '(' || text === '[') depth++
  }
  return tokens
}

const KEPT = /⟦(\d+):(\d+)⟧/g
/** Stands for the text between two tokens as it is. */
const kept = (first: Token, last: Token): string => `⟦${first.start}:${last.end}⟧`
const replace = (first: Token, last: Token, text: string): Mutation => ({ start: first.start, end: last.end, text })

function mutationsAt(tokens: Token[], i: number): Mutation[] {
  const token = tokens[i]!
  const before = tokens[i - 1]?.text ?? ''
  const next = tokens[i + 1]
  const { text } = token
  if (text === 'where' || text === 'having' || (text === 'on' && next?.text !== 'conflict')) return parts(tokens, i)
  if (text === 'order' && next?.text === 'by') return orders(tokens, i)
  if (text === 'set' && tokens.slice(Math.max(0, i - 5), i).some((one) => one.text === 'update'))
    return assignments(tokens, i)
  if (text === 'for' && next && /^(update|share|no|key)$/.test(next.text))
    return [replace(token, locked(tokens, i), '')]
  // Who asks for one row takes the first of more.
  if (text === 'limit' && next) return token.depth === 0 && next.text === '1' ? [] : [replace(token, next, '')]
  if (text === 'on' && next?.text === 'conflict') return [replace(token, endOf(tokens, i, ['returning']), '')]
  if (text === 'is' && next) return [turnedIs(tokens, i)]
  if (text === 'in' && next?.text === '(' && before !== 'not') return [replace(token, token, 'not in')]
  if (text === 'distinct' && before === 'select' && next?.text !== 'on') return [replace(token, token, '')]
  if (text === 'left' && next?.text === 'join') return [replace(token, token, '')]
  if (text === 'union' && next?.text !== 'all') return [replace(token, token, 'union all')]
  if (text === 'not' && next?.text === 'exists') return [replace(token, token, '')]
  if (FIRST_OF.has(text) && next?.text === '(') return [firstArgument(tokens, i)]
  if (text in OTHER_WORD && (text.length < 6 || next?.text === '(') && before !== 'not')
    return [replace(token, token, OTHER_WORD[text]!)]
  if (text in TURNED && text !== '=') return [replace(token, token, TURNED[text]!)]
  if (/^'\w+'$/.test(text) && isStatus(tokens, i)) return [replace(token, token, "'another'")]
  if (/^\d+$/.test(text) && before !== '[' && before !== '->' && before !== '$' && before !== 'limit')
    return [replace(token, token, String(Number(text) + 1))]
  return []
}

/** Whether a text is compared with, chosen or in a list: elsewhere it is a format, a zone or the name of a part. */
function isStatus(tokens: Token[], i: number): boolean {
  const open = tokens.findLastIndex(({ depth }, n) => n < i && depth < tokens[i]!.depth)
  const isInList = tokens[open]?.text === '(' && tokens[open - 1]?.text === 'in'
  return isInList || /^(=|<>|then|else|default)$/.test(tokens[i - 1]?.text ?? '')
}

/** The tokens of a condition that `and` or `or` joins, each left out; and `=` between two sides turned. */
function parts(tokens: Token[], i: number): Mutation[] {
  const { depth } = tokens[i]!
  const last = tokens.indexOf(endOf(tokens, i, [...ENDS]))
  const inside = tokens.slice(i + 1, last + 1)
  const joints = inside.filter(
    (token, n) => token.depth === depth && /^(and|or)$/.test(token.text) && inside[n - 2]?.text !== 'between',
  )
  const neutral = joints.some(({ text }) => text === 'or') ? 'false' : 'true'
  const found: Mutation[] = []
  let first = 0
  for (const joint of [...joints, undefined]) {
    const end = joint ? inside.indexOf(joint) : inside.length
    const part = inside.slice(first, end)
    if (part.length > 0) found.push(replace(part[0]!, part.at(-1)!, neutral))
    const equals = part.find((token) => token.text === '=' && token.depth === depth)
    if (equals) found.push(replace(equals, equals, '<>'))
    if (joint) found.push(replace(joint, joint, joint.text === 'and' ? 'or' : 'and'))
    first = end + 1
  }
  return found
}

/** The last token before what ends a part of a statement. */
function endOf(tokens: Token[], i: number, ends: string[]): Token {
  const { depth } = tokens[i]!
  const end = tokens.findIndex(
    (token, n) => n > i && (token.depth < depth || (token.depth === depth && ends.includes(token.text))),
  )
  return tokens[(end === -1 ? tokens.length : end) - 1]!
}

function orders(tokens: Token[], i: number): Mutation[] {
  const { depth } = tokens[i]!
  const last = endOf(tokens, i, ['limit', 'for', 'offset', 'rows', 'range', 'union', 'returning', ';', 'loop'])
  const inside = tokens.slice(i + 2, tokens.indexOf(last) + 1)
  const commas = inside.filter((token) => token.text === ',' && token.depth === depth)
  const firstEnd = inside[(commas[0] ? inside.indexOf(commas[0]) : inside.length) - 1]!
  const turned = firstEnd.text === 'desc' ? replace(firstEnd, firstEnd, 'asc') : undefined
  return [
    replace(tokens[i]!, last, ''),
    turned ?? replace(firstEnd, firstEnd, `${kept(firstEnd, firstEnd)} desc`),
    ...(commas.length > 0 ? [replace(commas.at(-1)!, last, '')] : []),
  ]
}

/** Each assignment of several, left out. */
function assignments(tokens: Token[], i: number): Mutation[] {
  const { depth } = tokens[i]!
  const last = endOf(tokens, i, ['from', 'where', 'returning', ';'])
  const inside = tokens.slice(i + 1, tokens.indexOf(last) + 1)
  const commas = inside.filter((token) => token.text === ',' && token.depth === depth)
  if (commas.length === 0) return []
  return [
    replace(inside[0]!, commas[0]!, ''),
    ...commas.map((comma, n) => {
      const end = commas[n + 1] ? inside[inside.indexOf(commas[n + 1]!) - 1]! : last
      return replace(comma, end, '')
    }),
  ]
}

const locked = (tokens: Token[], i: number): Token => endOf(tokens, i, [';', 'loop', 'returning', 'union'])

function turnedIs(tokens: Token[], i: number): Mutation {
  const [is, next] = [tokens[i]!, tokens[i + 1]!]
  return next.text === 'not' ? replace(is, next, 'is') : replace(is, is, 'is not')
}

function firstArgument(tokens: Token[], i: number): Mutation {
  const open = tokens[i + 1]!
  const close = tokens.find(({ start, depth, text }) => start > open.start && depth === open.depth && text === ')')!
  const comma = tokens.find(({ start, depth, text }) => start > open.start && depth === open.depth + 1 && text === ',')
  const last = comma ? tokens[tokens.indexOf(comma) - 1]! : close
  return replace(tokens[i]!, close, `(${kept(tokens[i + 2]!, last)})`)
}
