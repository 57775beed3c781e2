import type { ReactNode } from 'react'
import { CallError } from '../../../lib/call'

/** What to do when no answer came to what was sent; nothing when one came. Stays until it is sent again. */
export const Unanswered = ({ error, children }: { error: Error | null; children?: ReactNode }) =>
  error && !(error instanceof CallError) ? (
    <p role="alert" className="rounded-md bg-warning-100 px-3 py-2 text-sm text-warning-700">
      No answer came. Please check your connection and try again: what you typed is still here. {children}
    </p>
  ) : null
