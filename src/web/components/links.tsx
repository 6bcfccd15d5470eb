import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { type ComponentProps, createElement, type FunctionComponent } from 'react'

/** A page below the one that a link leads to is another page: only the same one is said to be the present one. */
const exact = <Component,>(link: Component): Component =>
  ((props: object) =>
    createElement(link as FunctionComponent<LinkOptions>, { activeOptions: { exact: true }, ...props })) as Component
type LinkOptions = { activeOptions?: { exact: boolean } }

type TextProps = Omit<ComponentProps<'a'>, keyof AnchorProps> & AnchorProps
/** A link to a page of the app, in a text. */
export const TextLink = exact(createLink((props: TextProps) => <Anchor component="a" {...props} />))

type ButtonLinkProps = Omit<ComponentProps<'a'>, keyof ButtonProps> & ButtonProps
/** A link to a page of the app that looks like a button. */
export const ButtonLink = exact(createLink((props: ButtonLinkProps) => <Button component="a" {...props} />))
