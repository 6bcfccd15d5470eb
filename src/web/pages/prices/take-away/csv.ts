const NEEDS_QUOTES = /[",\r\n]/
/** How a formula begins. Names come from others, and a spreadsheet would calculate them. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?\d+(\.\d+)?%?$/

function field(value: unknown): string {
  const plain = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns rows as CSV (RFC 4180). What a spreadsheet would take for a formula begins with an apostrophe. */
export const csvOf = (rows: unknown[][]): string => rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')

/** The columns of a price row, as in the CSV of the price history. */
export const PRICE_COLUMNS = [
  'provider', 'source', 'resource', 'dimension', 'unit', 'currency', 'pricingTier', 'price', 'recordedAt',
] // biome-ignore format: a list reads best in lines
