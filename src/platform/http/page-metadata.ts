import type { PageMetadata } from '#contracts/endpoint'

/** Where a page stands among all pages of a list of `total` entries; an empty list has one empty page. */
export const pageMetadataOf = (total: number, page: number, pageSize: number): PageMetadata => {
  const totalPages = Math.max(1, Math.ceil(total / pageSize))
  return { total, page, pageSize, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 }
}
