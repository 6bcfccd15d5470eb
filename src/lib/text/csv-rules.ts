const NEEDS_QUOTES = /[",\r\n]/

/**
 * Returns a line of CSV (RFC 4180). Texts are written as they are: an apostrophe before `=`, `+`, `-` or `@`, which some
 * spreadsheets want, would make another name of `@cf/meta/llama`.
 */
export const csvRow = (values: readonly unknown[]): string => `${values.map(csvField).join(',')}\r\n`

function csvField(value: unknown): string {
  const text = value === undefined || typeof value === 'string' ? (value ?? '') : JSON.stringify(value)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
