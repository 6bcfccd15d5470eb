import { resolveObjectURL } from 'node:buffer'
import { notifications, notificationsStore } from '@mantine/notifications'

/** The service has rows of one instant in any order. */
function sorted(table: string): string {
  const [head = '', ...rows] = table.split('\n').filter(Boolean)
  return [head, ...rows.sort()].join('\n')
}

/** Returns what tells what was said in the corner, copied, saved and left for since it was asked last. */
export function watchEffects(isSorted: boolean): () => Promise<string[]> {
  const done: Promise<string>[] = []
  navigator.clipboard.writeText = async (text) => void done.push(Promise.resolve(`copies ${text}`))
  location.assign = (url) => void done.push(Promise.resolve(`leaves for ${url}`))
  location.reload = () => void done.push(Promise.resolve('loads the page again'))
  // A browser keeps the page where a link is a download.
  HTMLAnchorElement.prototype.click = function () {
    const file = resolveObjectURL(this.href)
    const saved = (text: string) => `saves ${this.download}\n${isSorted ? sorted(text) : text}`
    if (file) done.push(file.text().then((text) => saved(text.replaceAll('\r\n', '\n'))))
  }
  const forget = () => {
    notifications.clean()
    notifications.cleanQueue()
  }
  forget()
  return async () => {
    const { notifications: shown, queue } = notificationsStore.getState()
    const said = [...shown, ...queue].map(
      ({ title, message, autoClose }) =>
        `says${autoClose === false ? ' until it is closed' : ''} ${[title, message].filter(Boolean).join(': ')}`,
    )
    forget()
    return [...said, ...(await Promise.all(done.splice(0)))]
  }
}
