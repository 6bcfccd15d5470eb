import { contract } from '../../contract.ts'

/** Starts a check before its time: it collects what is due and sends what is due. One that runs already will do. */
export const startCheck = contract('POST', '/v1/operator/check', {
  access: 'operator',
  audit: 'check_requested',
  status: 202,
})
