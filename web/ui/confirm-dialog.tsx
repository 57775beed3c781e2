import { Suspense } from 'react'
import { lazyComponent, usePreload } from '../lib/lazy'
import type { ConfirmQuestionProps } from './confirm-question'

const ConfirmQuestion = lazyComponent(() => import('./confirm-question').then((m) => m.ConfirmQuestion))

/**
 * Asks once more before something that cannot simply be undone. The safe button is first in the tab order. What draws it
 * comes after the screen that may ask.
 */
export const ConfirmDialog = ({ open, ...question }: ConfirmQuestionProps & { open: boolean }) => {
  usePreload(ConfirmQuestion)
  return open ? (
    <Suspense>
      <ConfirmQuestion {...question} />
    </Suspense>
  ) : null
}
