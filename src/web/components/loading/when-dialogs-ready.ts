let isReady = false
const waiting: (() => void)[] = []

/** Opens a dialog, once the dialogs are loaded: until then no one would hear of it. */
export function whenDialogsReady(open: () => void): void {
  if (isReady) open()
  else waiting.push(open)
}

export function setDialogsReady(): void {
  isReady = true
  for (const open of waiting.splice(0)) open()
}
