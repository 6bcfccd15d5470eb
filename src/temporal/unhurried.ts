/**
 * How long workflow code may take at once. The SDK stops it after five seconds by the clock, and Node.js ends the whole
 * process when code in a `vm` is stopped in a microtask (nodejs/node#38503). A machine that stands still for so long is
 * no reason for that. The option is not among the SDK's documented ones.
 */
export const UNHURRIED = { isolateExecutionTimeout: '10 minutes' }
