const STATUS: Record<string, { label: string; color: string }> = {
  auto_approved: { label: 'served', color: 'teal' },
  approved: { label: 'approved', color: 'teal' },
  removed: { label: 'removed', color: 'gray' },
  withdrawn: { label: 'withdrawn', color: 'red' },
}

/** The status of a row in words. */
export const shownStatus = (status: string): { label: string; color: string } =>
  STATUS[status] ?? { label: status, color: 'gray' }
