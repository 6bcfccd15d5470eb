import { sleep, upsertSearchAttributes } from '@temporalio/workflow'

/** What the tests of the test servers run: waits, visibly. */
export async function nap(ms: number): Promise<string> {
  upsertSearchAttributes({ DeliveryStatus: ['napping'] })
  await sleep(ms)
  return 'rested'
}
