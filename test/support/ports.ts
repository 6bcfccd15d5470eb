export { freePort } from '../../src/embedded/process/ports.ts'
