/** Computes without a pause, after the first microtask of its task. */
export async function slow(rounds: number): Promise<number> {
  await Promise.resolve()
  let sum = 0
  for (let n = 0; n < rounds; n++) sum = (sum + n * 7) % 1_000_003
  return sum
}
