import { contract } from '../../contract.ts'
import * as at from './endpoints.ts'

/** Starts a check before its time: it collects what is due and sends what is due. One that runs already will do. */
export const startCheck = contract(at.startCheck, {
  access: 'operator',
  audit: 'check_requested',
  status: 202,
})
