/** How Node and V8 begin the lines that surround a stack: where it happened, the memory there was, the version. */
const AROUND_A_STACK = /^(\s|node:internal|Node\.js v\d|file:\/\/|\/\S+:\d+$|<---|-{3,} |\[\d+:0x|\d+: 0x|#|\}$)/

/** Whether a line that a crashing process printed is for who looks for the fault, not for who watches a start. */
export const isTrace = (line: string): boolean => line === '' || AROUND_A_STACK.test(line)
