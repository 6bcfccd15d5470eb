import { join, resolve } from 'node:path'

/** Where PRICETAPE_TEST_RECORDINGS is not set. */
const USUAL = join(import.meta.dirname, '../../../.cache/recordings')

/**
 * Returns the folder of recorded prices or documents. They are too large for the repository: CONTRIBUTING.md says how
 * they are fetched.
 */
export const recording = (name: 'genai-prices' | 'terms'): string =>
  join(resolve(process.env.PRICETAPE_TEST_RECORDINGS || USUAL), name)
