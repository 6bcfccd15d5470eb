import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useArrival } from './hooks/use-arrival.ts'
import { TextLink } from './links.tsx'
import { Loading, Reloading, Words } from './loading/skeletons.tsx'

type PageProps = {
  /** Undefined while it is loading. */
  title: string | undefined
  about?: ReactNode
  /** A state, beside the heading. */
  badge?: ReactNode
  /** The page that this one is a part of. */
  back?: { to: string; params?: object; label: string | undefined }
  actions?: ReactNode
  /** What is shown is of another instant or version, until the wanted one is read. */
  isOld?: boolean
  children: ReactNode
}

/** A page: its heading, which is also the title of the tab, what it is for, and what can be done on it. */
export function Page({ title, about, badge, back, actions, isOld = false, children }: PageProps) {
  const arrival = useArrival(title)
  return (
    <Stack gap="lg" maw={1200} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 320px' }}>
          {back && (
            <TextLink
              to={back.to}
              {...(back.params && ({ params: back.params } as object))}
              size="sm"
              underline="hover"
              style={{ overflowWrap: 'anywhere' }}
            >
              ← {back.label ?? <Words />}
            </TextLink>
          )}
          <Group gap="sm" wrap="nowrap">
            <Title {...arrival} order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {title ?? <Words width={220} />}
            </Title>
            {badge}
            {isOld && <Reloading />}
          </Group>
          {about && (
            <Text c="dimmed" maw={720} mt={4} style={{ overflowWrap: 'anywhere' }}>
              {about}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap="xs" data-page-actions>
            {actions}
          </Group>
        )}
      </Group>
      {title === undefined && <Loading />}
      <Stack gap="lg" aria-busy={isOld}>
        {children}
      </Stack>
    </Stack>
  )
}
