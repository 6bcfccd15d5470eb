import robotsModule from 'robots-parser'

// The package exports its function itself; its types say that it is the default of what it exports.
const robotsParser = robotsModule as unknown as typeof robotsModule.default

export type RobotsQuestion = { robotsUrl: string; bytes: Uint8Array; url: string; robot: string }

/** Whether a robots.txt lets a robot read a page. */
export function isAllowed({ robotsUrl, bytes, url, robot }: RobotsQuestion): boolean {
  return robotsParser(robotsUrl, new TextDecoder().decode(bytes)).isAllowed(url, robot) !== false
}
