import { Anchor, Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useArrival } from './hooks/use-arrival.ts'
import { Mark } from './values/mark.tsx'

type Props = { title: string; about?: ReactNode; children: ReactNode; below?: ReactNode }

/** A page for someone who is not signed in: one thing to do. */
export function NarrowPage({ title, about, children, below }: Props) {
  const arrival = useArrival(title)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Anchor href="/sign-in" underline="never" c="inherit" aria-label="Pricetape">
          <Mark />
        </Anchor>
        <Paper withBorder p={{ base: 'md', xs: 'xl' }} radius="lg">
          <Stack gap="lg">
            <div>
              <Title {...arrival} order={1} size="h3">
                {title}
              </Title>
              {about && (
                <Text c="dimmed" size="sm" mt={4}>
                  {about}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
        {below && (
          <Text size="sm" ta="center">
            {below}
          </Text>
        )}
      </Stack>
    </Center>
  )
}
