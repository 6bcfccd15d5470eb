import type { Evidence } from './evidence-schema.ts'

/** Whether a source of another origin shows the new price. */
export const isWitnessed = ({ witnesses }: Evidence): boolean => witnesses?.some(({ agrees }) => agrees) ?? false
