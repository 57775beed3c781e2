import { useEffect } from 'react'
import { classes } from '../lib/classes'

type PageTitleProps = { children?: string; of?: string }

/**
 * The title of the browser's tab: "Menu Calendar · Parent & Teacher Portal". Set in the page's own `<title>`; React's
 * would be a second one.
 */
export const PageTitle = ({ children, of = 'Parent & Teacher Portal' }: PageTitleProps) => {
  const title = children ? `${children} · ${of}` : of
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}

/** The bowl of the tuckshop, in two tones on any ground. */
export const Logo = ({ className }: { className?: string }) => (
  <img src="/favicon.svg" alt="" width="64" height="64" className={classes('rounded-md', className)} />
)

/** Who makes this, at the foot of a page. */
export const MakerFooter = ({ words }: { words: string }) => (
  <footer className="flex flex-wrap items-center justify-center gap-x-2 px-4 py-6 text-sm text-muted">
    {words}
    <a href="/" className="inline-flex items-center gap-1.5 font-semibold text-brand-700 hover:underline">
      <Logo className="size-6" />
      Tuckshop
    </a>
  </footer>
)
