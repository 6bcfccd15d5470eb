export { shownContext, shownDimension, shownPrice, shownTier } from '../../../lib/text/price-text.ts'

/** Returns the same as a number, for what is sorted and drawn. Nothing is calculated with it. */
export const priceValue = (price: string, places: number): number => Number(price) * 10 ** places

/** `USD / million tokens` */
export const unitHeading = ({ currency, per }: { currency: string; per: string }): string => `${currency} / ${per}`
