import type { ReactNode } from 'react'
import type { RollEntry } from '#contracts/roll'

/** What the office can do about the entry of a child. */
export type RollAct = 'edit' | 'more' | 'move' | 'merge' | 'guardians'
export type AskedAct = { act: RollAct; child: RollEntry }

/** Draws the dialog of a child's guardians. */
export type RenderGuardians = (child: RollEntry, onClose: () => void) => ReactNode
