import { type MouseEvent, useEffect } from 'react'
import { classes } from '../lib/classes'

type PageTitleProps = { children?: string; of?: string }

/** "Menu Calendar · Parent & Teacher Portal". Sets the page's own `<title>`; React would add a second. */
export const PageTitle = ({ children, of = 'Parent & Teacher Portal' }: PageTitleProps) => {
  const title = children ? `${children} · ${of}` : of
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}

/** In two tones on any background. */
export const Logo = ({ className }: { className?: string }) => (
  <img src="/favicon.svg" alt="" width="64" height="64" className={classes('rounded-md', className)} />
)

/** A link only where the school names an address. */
export const MakerFooter = ({ words, href }: { words: string; href: string | undefined }) => {
  const maker = (
    <>
      <Logo className="size-6" />
      Tuckshop
    </>
  )
  const look = 'inline-flex items-center gap-1.5 font-semibold'
  return (
    <footer className="flex flex-wrap items-center justify-center gap-x-2 px-4 py-6 text-sm text-muted">
      {words}
      {href ? (
        <a href={href} rel="noopener" className={classes(look, 'text-brand-700 hover:underline')}>
          {maker}
        </a>
      ) : (
        <span className={look}>{maker}</span>
      )}
    </footer>
  )
}

/** First Tab stop: skips header and menu. */
export const SkipLink = ({ onSkip }: { onSkip: () => void }) => {
  const skip = (event: MouseEvent) => {
    // Keeps the address, which holds section and filters.
    event.preventDefault()
    onSkip()
  }
  return (
    <a
      href="#section"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-surface focus:px-4 focus:py-2.5 focus:font-semibold focus:text-brand-800 focus:shadow-overlay"
    >
      Skip to content
    </a>
  )
}
