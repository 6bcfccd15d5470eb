/** A count with its noun: `1 price`, `3 prices`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
