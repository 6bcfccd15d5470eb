const STEP = /^(>=?|≥) ?(\d{1,15})$/

/**
 * Returns the one spelling of from how many input tokens on a price holds: `>200000`. Sellers' steps are whole thousands,
 * which lists write as above 200,000, from 200,000 and from 200,001; so what begins at a whole thousand is that step too.
 */
export function canonicalContext(text: string): string {
  const [, sign, digits] = STEP.exec(text) ?? []
  if (digits === undefined) return text
  const above = sign === '>' ? Number(digits) : Number(digits) - 1
  return `>${(above + 1) % 1000 === 0 ? above + 1 : above}`
}
