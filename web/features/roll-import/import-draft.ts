import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { applyRoll, ClaimCodeLetter, previewRoll } from '#contracts/roll-import'
import { importKey } from './api'

export type Preview = ReplyOf<typeof previewRoll>
export type Result = ReplyOf<typeof applyRoll>

/** Draws the letters of new claim codes until they are closed. */
export type RenderLetters = (codes: readonly ClaimCodeLetter[], onClose: () => void) => ReactNode

/** By the number of a matched row: which child it is, or that it is a new one. */
export type Decisions = NonNullable<BodyOf<typeof applyRoll>['decisions']>

export type PreviewDraft = { step: 'preview'; file: File; preview: Preview; decisions: Decisions }

/** How far an import is: nothing chosen, a list that was looked through, or what became of it. */
export type ImportDraft = { step: 'upload' } | PreviewDraft | { step: 'done'; result: Result }

const begun: ImportDraft = { step: 'upload' }

/** The import under way. It stays while another section is open, and goes when whoever is signed in leaves. */
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
