import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gradeLabel } from '../../../lib/format'
import { Dialog } from '../../../ui/dialog'
import { Paged } from '../../../ui/paged-list'
import { QueryResult } from '../../../ui/query-result'
import { leavingQuery } from '../api'

/** Who is not in the list, by class. */
export const LeavingDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const [page, setPage] = useState(1)
  const leaving = useQuery(leavingQuery(id, page))
  return (
    <Dialog open onClose={onClose} title="Not in the list">
      <QueryResult query={leaving} failure="Failed to fetch the children">
        {({ data, metadata }) => (
          <Paged
            page={page}
            totalPages={Math.max(1, metadata.totalPages)}
            busy={leaving.isPlaceholderData}
            onPage={setPage}
          >
            <ul className="divide-y divide-line rounded-md border border-line">
              {data.map((child) => (
                <li key={child.id} className="px-3 py-2 break-words">
                  <span className="font-semibold">{child.name}</span>{' '}
                  <span className="text-sm text-muted">
                    {[
                      child.class ?? gradeLabel(child.grade),
                      child.admissionNumber,
                      child.parent && `account of ${child.parent}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
          </Paged>
        )}
      </QueryResult>
    </Dialog>
  )
}
