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

export const MakerFooter = ({ words }: { words: string }) => (
  <footer className="flex flex-wrap items-center justify-center gap-x-2 px-4 py-6 text-sm text-muted">
    {words}
    <a href="/" className="inline-flex items-center gap-1.5 font-semibold text-brand-700 hover:underline">
      <Logo className="size-6" />
      Tuckshop
    </a>
  </footer>
)

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
