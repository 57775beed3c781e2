import {
  skipToken,
  useQuery,
  useQueryClient,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BodyOf, ReplyOf, QueryOf } from '#contracts/endpoint'
import {
  applyRoll,
  type ClaimCodeLetter,
  previewLetters,
  previewRoll,
  lastRollImport,
  leavingChildren,
  previewedRows,
  undoRoll,
  type RollRow,
  type RollColumn,
  type RollMapping,
  type RollRowState,
} from '#contracts/roll-import'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { type MappedFile, sendFile } from '../../lib/files'
import type { Tone } from '../../ui/badge'

export type Preview = ReplyOf<typeof previewRoll>
export type Result = ReplyOf<typeof applyRoll>

/** Renders letters until closed. */
export type RenderLetters = (codes: readonly ClaimCodeLetter[], onClose: () => void) => ReactNode

/** By row number: a child or a new one. */
export type Decisions = NonNullable<BodyOf<typeof applyRoll>['decisions']>

/** `clear`: matches that are chosen beforehand. */
export type PreviewDraft = {
  step: 'preview'
  file: File
  preview: Preview
  clear: Decisions
  decisions: Decisions
}

/** Upload, preview or result. */
type ImportDraft = { step: 'upload' } | PreviewDraft | { step: 'done'; result: Result }

const begun: ImportDraft = { step: 'upload' }

/** Survives a change of section; ends at sign-out. */
export const useImportDraft = () => {
  const client = useQueryClient()
  const { data = begun } = useQuery<ImportDraft>({
    queryKey: importKey,
    queryFn: skipToken,
    gcTime: Infinity,
    structuralSharing: false,
  })
  return [data, (draft: ImportDraft) => client.setQueryData<ImportDraft>(importKey, draft)] as const
}

/** Cache key of the running import. */
const importKey = ['roll-import'] as const

type Sending = MappedFile & { onSent: (share: number) => void }

/** Checks a file without changes; `onSent` reports upload progress. */
export const checkFile = mutationOptions({
  mutationFn: ({ onSent, ...file }: Sending) => sendFile(previewRoll, file, onSent),
})

/** Frozen: a changed roll needs a new preview. */
export const rowsQuery = (id: string, query: QueryOf<typeof previewedRows>) => ({
  ...endpointQuery('identity', previewedRows, { params: { id }, query }),
  queryKey: [...importKey, id, query] as QueryKey,
  placeholderData: keepPreviousData,
})

/** Children who would leave. */
export const leavingQuery = (id: string, page: number) => ({
  ...endpointQuery('identity', leavingChildren, { params: { id }, query: { page } }),
  queryKey: [...importKey, id, 'leaving', page] as QueryKey,
  placeholderData: keepPreviousData,
})

export const lettersQuery = (id: string, body: BodyOf<typeof previewLetters>) => ({
  ...endpointQuery('identity', previewLetters, { params: { id }, body }),
  queryKey: [...importKey, id, 'letters', body] as QueryKey,
  placeholderData: keepPreviousData,
})

const rowsAtOnce = 200

/** Reads all pages. */
export const allMatched = async (client: QueryClient, id: string): Promise<RollRow[]> => {
  const rows: RollRow[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page, limit: rowsAtOnce, state: 'matched' as const }
    const { data, metadata } = await client.fetchQuery(rowsQuery(id, query))
    rows.push(...data)
    pages = metadata.totalPages
  }
  return rows
}

/** None where they cannot be read: then nothing is chosen beforehand. */
export const matchedRows = (client: QueryClient, { id, matched }: Preview): Promise<RollRow[]> =>
  matched === 0 ? Promise.resolve([]) : allMatched(client, id).catch(() => [])

export const applying = {
  ...endpointMutation(applyRoll, 'identity', 'ordering'),
  mutationKey: [...importKey, 'apply'],
}

export const lastQuery = endpointQuery('identity', lastRollImport, {})
export const undoing = endpointMutation(undoRoll, 'identity', 'ordering')

export const columnText: Record<RollColumn, { label: string; holds: string; needed?: boolean }> = {
  admissionNumber: {
    label: 'Admission number',
    holds: 'Used to find the child again next time. Each child has its own.',
  },
  student: { label: 'Student', holds: 'The whole name of the child', needed: true },
  grade: { label: 'Grade', holds: 'ELC, K or 1 to 12', needed: true },
  class: { label: 'Class', holds: 'For example 3B' },
  guardian: { label: 'Guardian', holds: 'The letter with the claim code is addressed to them' },
  email: { label: 'Email', holds: 'The claim code is mailed to it' },
  phone: { label: 'Phone', holds: 'For example 0977 123 456' },
  bursary: {
    label: 'Bursary',
    holds: 'What the lunches cost less, 0 to 100 percent. 0 ends it; empty leaves it',
  },
  sponsor: { label: 'Sponsor', holds: 'Who pays the bursary' },
}

export const mappedText: Record<keyof RollMapping, string> = {
  student: 'Whole name of the child',
  firstName: 'First name of the child',
  otherNames: 'Other names of the child',
  lastName: 'Surname of the child',
  grade: columnText.grade.label,
  class: columnText.class.label,
  admissionNumber: columnText.admissionNumber.label,
  guardian: columnText.guardian.label,
  email: columnText.email.label,
  phone: columnText.phone.label,
  bursary: columnText.bursary.label,
  sponsor: columnText.sponsor.label,
}

export const stateText: Record<RollRowState, { label: string; tone: Tone }> = {
  new: { label: 'New', tone: 'brand' },
  changed: { label: 'Changed', tone: 'info' },
  same: { label: 'Same', tone: 'neutral' },
  matched: { label: 'To decide', tone: 'warning' },
}
