export { check } from './check.ts'
export { delivery } from './delivery.ts'
export { retention } from './retention.ts'
export { webhook } from './webhook.ts'
