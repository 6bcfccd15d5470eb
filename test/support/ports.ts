export { freePort } from '../../src/lib/ports.ts'
