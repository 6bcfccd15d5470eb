/** What may be a number that a float cannot hold: a large exponent, or very many digits. */
const MAY_BE_LOST = /[eE][+-]?\d{3}|[\d.]{300}/
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g

/**
 * Reads JSON. A number that a float would take for zero or for infinity (`1e-400`, `1e999`) stays the text that it is:
 * no one takes it for a price of zero.
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown =>
  JSON.parse(MAY_BE_LOST.test(text) ? text.replace(TOKEN, (token) => (isLost(token) ? `"${token}"` : token)) : text)

/** A text as JSON; undefined for one that is not. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isLost(token: string): boolean {
  if (token.startsWith('"')) return false
  const value = Number(token)
  return value === 0 ? /[1-9]/.test(token.split(/e/i)[0]!) : !Number.isFinite(value)
}
