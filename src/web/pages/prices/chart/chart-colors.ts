/** Lines of a chart, in their order: far apart from one another, and from the ground in light and dark. */
export const CHART_COLORS = [
  'teal.7',
  'indigo.6',
  'orange.7',
  'grape.6',
  'cyan.8',
  'red.7',
  'lime.9',
  'pink.7',
  'blue.8',
  'yellow.9',
]
