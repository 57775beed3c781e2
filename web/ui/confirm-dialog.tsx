import { Suspense } from 'react'
import { lazyComponent, usePreload } from '../lib/lazy'
import type { ConfirmQuestionProps } from './confirm-question'

const ConfirmQuestion = lazyComponent(() => import('./confirm-question').then((m) => m.ConfirmQuestion))

/** The safe button comes first in Tab order. Loaded after the screen. */
export const ConfirmDialog = ({ open, ...question }: ConfirmQuestionProps & { open: boolean }) => {
  usePreload(ConfirmQuestion)
  return open ? (
    <Suspense>
      <ConfirmQuestion {...question} />
    </Suspense>
  ) : null
}
