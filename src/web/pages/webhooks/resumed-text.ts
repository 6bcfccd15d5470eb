/** Returns what a resume did. `resent`: the deliveries that go out again; undefined where none was to. */
export function resumedText(resent: number | undefined): string {
  if (resent === undefined) return 'Resumed. What was not sent while it was paused stays unsent.'
  if (resent === 0) return 'Resumed. Nothing was left unsent while it was paused.'
  if (resent === 1)
    return 'Resumed. 1 delivery that was not sent while it was paused goes out in the next delivery run.'
  return `Resumed. ${resent} deliveries that were not sent while it was paused go out in the next delivery run.`
}
