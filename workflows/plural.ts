/** A count with its noun. Workflows have one of their own: they load nothing of `src/lib`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
