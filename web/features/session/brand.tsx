import { classes } from '../../lib/classes'

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
