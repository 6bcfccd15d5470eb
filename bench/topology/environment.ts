import { TEST_KEY } from '../../test/support/webhooks/deliveries.ts'

/** What every process of a trial's installation gets, and what is its own: of our environment `PATH` and `HOME` alone. */
export function environment(own: Record<string, string>): Record<string, string | undefined> {
  const { PATH, HOME } = process.env
  return {
    PATH,
    HOME,
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'warn',
    PRICETAPE_SECRET_KEY: Buffer.from(TEST_KEY).toString('base64'),
    PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
    PRICETAPE_OFFLINE: 'true',
    ...own,
  }
}
