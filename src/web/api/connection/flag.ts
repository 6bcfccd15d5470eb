/** Something that is so or not, for the whole tab. */
export function createFlag() {
  let value = false
  const listeners = new Set<() => void>()
  return {
    is: (): boolean => value,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set: (next: boolean): void => {
      if (value === next) return
      value = next
      for (const listener of listeners) listener()
    },
  }
}
