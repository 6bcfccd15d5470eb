/** A binary heap: the least item first. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #isLess: (a: T, b: T) => boolean

  constructor(isLess: (a: T, b: T) => boolean) {
    this.#isLess = isLess
  }

  least(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isLess(item, items[parent]!)) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = item
  }

  /** Removes the least item. */
  pop(): void {
    const items = this.#items
    const last = items.pop()
    if (last === undefined || items.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && this.#isLess(items[child + 1]!, items[child]!)) child++
      if (!this.#isLess(items[child]!, last)) break
      items[at] = items[child]!
      at = child
    }
    items[at] = last
  }
}
