/** Both pages are one part of the script: who opens one mostly opens the other. */
export { WatchPage } from './watch.tsx'
export { Watches } from './watches-page.tsx'
