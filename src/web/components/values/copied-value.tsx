import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** A button that copies a value. */
export const CopyIcon = ({ value, label, isSmall }: { value: string; label: string; isSmall?: boolean }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
        <ActionIcon
          variant={isSmall ? 'subtle' : 'default'}
          color={isSmall ? 'gray' : undefined}
          size={isSmall ? 18 : 'lg'}
          onClick={copy}
          aria-label={copied ? 'Copied' : `Copy ${label}`}
        >
          {copied ? (
            <IconCheck size={isSmall ? 13 : 18} aria-hidden />
          ) : (
            <IconCopy size={isSmall ? 13 : 18} aria-hidden />
          )}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
)

/** A value to take elsewhere, with a button that copies it. */
export const CopiedValue = ({ value, label }: { value: string; label: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', flex: 1 }}>
      {value}
    </Code>
    <CopyIcon value={value} label={label} />
  </Group>
)
