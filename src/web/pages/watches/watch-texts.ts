import type { Frequency, Watch, Watches } from '../../api/watches.ts'

export const FREQUENCIES: { value: Frequency; label: string; description: string }[] = [
  {
    value: 'at_once',
    label: 'At once',
    description: 'One mail for everything that a check finds, every five minutes.',
  },
  { value: 'daily', label: 'Daily', description: 'One mail a day about everything you watch daily, at 07:00 UTC.' },
  {
    value: 'weekly',
    label: 'Weekly',
    description: 'One mail about everything you watch weekly, on Mondays at 07:00 UTC.',
  },
]

export const frequencyText = (frequency: Frequency): string =>
  FREQUENCIES.find(({ value }) => value === frequency)!.label

/** What a watch is about: `gpt-5 at OpenAI`. */
export function subjectOf({ provider, providerName, resource, document, title, group }: Watch): string {
  const seller = providerName ?? provider ?? ''
  if (group) return group.name
  if (document) return `${title ?? document} of ${seller}`
  return resource ? `${resource} at ${seller}` : seller
}

/** Which changes of it are mailed. */
export function changesOf({
  resource,
  document,
  group,
  minChange,
}: Pick<Watch, 'resource' | 'document' | 'group' | 'minChange'>): string {
  if (document) return 'Every new version'
  const of = group ? 'Prices and members' : resource ? 'Prices' : 'Prices, models and documents'
  return minChange > 0 ? `${of}; price changes from ${minChange}%` : of
}

/** Why no mail can be sent. */
export const NO_MAILS: Record<Exclude<Watches['mails'], 'yes'>, string> = {
  no_mail_server:
    'This service has no mail server. Its operator can set SMTP_URL and PRICETAPE_MAIL_FROM. A webhook works without one.',
  no_public_url:
    'This service does not know its own address, which links in mails need. Its operator can set PRICETAPE_PUBLIC_URL. A webhook works without it.',
}
