import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type TextProps = Omit<ComponentProps<'a'>, keyof AnchorProps> & AnchorProps
/** A link to a page of the app, in a text. */
export const TextLink = createLink((props: TextProps) => <Anchor component="a" {...props} />)

type ButtonLinkProps = Omit<ComponentProps<'a'>, keyof ButtonProps> & ButtonProps
/** A link to a page of the app that looks like a button. */
export const ButtonLink = createLink((props: ButtonLinkProps) => <Button component="a" {...props} />)
