import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shortestFind } from '#contracts/find'
import type { User } from '#contracts/identity'
import { longestSearch } from '../../lib/list-address'
import { usePaused } from '../../lib/use-paused'
import { Dialog } from '../../ui/dialog'
import { QueryResult } from '../../ui/query-result'
import { SkeletonLines } from '../../ui/skeleton'
import { TextField } from '../../ui/text-field'
import { findQuery } from './api'
import { FindResults } from './find-results'

type FindDialogProps = { user: User; onClose: () => void }

const typingMs = 250

/** One search over families, payments, orders and statements; asks once the typing has paused. */
export const FindDialog = ({ user, onClose }: FindDialogProps) => {
  const [typed, setTyped] = useState('')
  const q = usePaused(typed.trim(), typingMs)
  const isLong = q.length >= shortestFind
  const found = useQuery({ ...findQuery(q), enabled: isLong })
  return (
    <Dialog open wide onClose={onClose} title="Find a family, payment or order">
      <TextField
        label="What to look for"
        hint="A reference, name, phone number, e-mail address, amount, or the provider's number"
        type="search"
        value={typed}
        maxLength={longestSearch}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog begins with what is to be done in it
        autoFocus
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div aria-live="polite" className="mt-4 min-h-40">
        {isLong ? (
          <QueryResult query={found} failure="The search failed" waiting={<SkeletonLines lines={4} />}>
            {(results) => <FindResults results={results} user={user} onFollow={onClose} />}
          </QueryResult>
        ) : (
          <p className="text-sm text-muted">{`Type at least ${shortestFind} characters.`}</p>
        )}
      </div>
    </Dialog>
  )
}
