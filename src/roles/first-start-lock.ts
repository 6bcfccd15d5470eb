/** The advisory lock of the process that prepares a database. Any constant that is the same in every process. */
export const FIRST_START_LOCK = 727_002
