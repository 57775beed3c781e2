import type { ReactNode } from 'react'
import type { RollEntry } from '#contracts/roll'

/** What the office can do about the entry of a child. */
export type RollAct = 'edit' | 'more' | 'move' | 'merge' | 'guardians' | 'letter'
export type AskedAct = { act: RollAct; child: RollEntry }

type Render = (child: RollEntry, onClose: () => void) => ReactNode

/** The dialogs of other features: the guardians of a child, and a new letter for its family. */
export type OtherDialogs = { guardians: Render; letter: Render }
