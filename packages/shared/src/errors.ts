/**
 * The one closed table of error codes, and the error that carries one. Every refusal a caller can see is an
 * AppError made from this table; each transport has a single mapper from it. Danger: `message` is public prose that
 * reaches callers verbatim, so anything internal (absolute paths, SQL, stack) belongs in `cause`, which is only logged.
 */

/** Code → HTTP status. Closed: openapi.yaml and the documentation list exactly these (a test compares them). */
export const ERROR_STATUS = {
  not_found: 404,
  already_exists: 400,
  not_empty: 400,
  invalid_path: 400,
  out_of_scope: 400,
  unsupported_suffix: 400,
  is_directory: 400,
  not_a_directory: 400,
  is_document: 400,
  kind_change: 400,
  no_such_heading: 400,
  ambiguous_heading: 400,
  no_such_block: 400,
  no_such_text: 400,
  ambiguous_text: 400,
  no_frontmatter: 400,
  invalid_value: 400,
  unreadable: 400,
  empty_document: 400,
  wrong_parent_folder: 400,
  extraction_failed: 400,
  document_too_large: 400,
  note_too_large: 400,
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  method_not_allowed: 405,
  locked: 409,
  precondition_failed: 412,
  range_not_satisfiable: 416,
  internal_error: 500,
  not_ready: 503,
  insufficient_storage: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A refusal with a code from the table and a public message that names the caller's next step. */
export class AppError extends Error {
  readonly code: ErrorCode;

  /**
   * @param code one of the closed table
   * @param message public prose: what is wrong and what to do next
   * @param options.cause the internal reason; logged, never sent
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }

  /** HTTP status of this error's code. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/**
 * What a transport may say about any thrown value: an AppError as it is, anything else as `internal_error`
 * with a constant message, the original kept as cause for the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal_error', 'Something went wrong inside the server. The log has the details; try again.', {
    cause: thrown,
  });
}
