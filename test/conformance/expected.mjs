/**
 * What is expected of the server, scenario by scenario, and why it falls short of some: kept beside the run, so that
 * any change shows. Danger: a check is listed here only for a reason that lies in what this product is; one that a
 * server with its tools and resources should pass is mended, not listed.
 */

/** @type {Record<string, import('./compare.mjs').Reason>} */
export const REASONS = {
  tool: {
    why: 'calls a tool that only the suite’s own server has',
    says: /[Tt]ool '?(?!vault_)\w+'? (?:not found|in tools\/list)/,
  },
  followUp: { why: 'goes on from what such a tool answers', says: /InputRequiredResult/ },
  resource: { why: 'reads a resource that only the suite’s own server has', says: /Only notes are resources here/ },
  prompts: { why: 'prompts are not offered', says: /Method not found/ },
  completion: { why: 'completion is not offered', says: /Method not found/ },
  logging: { why: 'protocol logging is not offered', says: /Method not found/ },
  subscribe: { why: 'subscriptions are not offered: nobody is told when a note changes', says: /Method not found/ },
  sessions: {
    why: 'wants a session or a stream to resume: every request stands alone',
    says: /^$|priming event|retry field/,
  },
  headers: { why: 'no tool takes an argument from a header', says: /no tool with x-mcp-header/ },
  tasks: {
    why: 'the tasks extension is not offered',
    says: /Tool \w+ not found|no task was created|unavailable|got -32601|-32602; spec requires -32021|extensions MUST be advertised/,
  },
};

/**
 * `passed` stands in the order of RUNS: released, 2025-06-18, 2025-11-25, 2026-07-28, extensions.
 *
 * @type {Record<string, import('./compare.mjs').Expectation>}
 */
export const EXPECTED = {
  caching: { passed: [null, null, null, 6, null], short: { prompts: ['sep-2549-prompts-list-caching-hints'] } },
  'completion-complete': { passed: [0, 0, 0, 0, null], short: { completion: ['completion-complete'] } },
  'dns-rebinding-protection': { passed: [2, null, 2, 2, null] },
  'elicitation-sep1034-defaults': {
    passed: [0, null, 0, null, null],
    short: { tool: ['elicitation-sep1034-general'] },
  },
  'elicitation-sep1330-enums': { passed: [0, null, 0, null, null], short: { tool: ['elicitation-sep1330-general'] } },
  'http-custom-header-server-validation': {
    passed: [null, null, null, 0, null],
    short: {
      headers: [
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-decode-base64',
        'sep-2243-server-validate-param-match',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
      ],
    },
  },
  'http-header-validation': { passed: [null, null, null, 4, null] },
  'input-required-result-basic-elicitation': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-elicitation-incomplete'] },
  },
  'input-required-result-basic-list-roots': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-list-roots-incomplete'] },
  },
  'input-required-result-basic-sampling': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-sampling-incomplete'] },
  },
  'input-required-result-capability-check': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-respect-client-capabilities'] },
  },
  'input-required-result-ignore-extra-params': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-ignore-unexpected-params'] },
  },
  'input-required-result-missing-input-response': {
    passed: [null, null, null, 0, null],
    short: { followUp: ['sep-2322-missing-response-rerequests'] },
  },
  'input-required-result-multi-round': {
    passed: [null, null, null, 0, null],
    short: { followUp: ['sep-2322-multi-round-r1'] },
  },
  'input-required-result-multiple-input-requests': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-multiple-inputs-incomplete'] },
  },
  'input-required-result-non-tool-request': {
    passed: [null, null, null, 0, null],
    short: { prompts: ['sep-2322-non-tool-incomplete'] },
  },
  'input-required-result-request-state': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-request-state-incomplete'] },
  },
  'input-required-result-result-type': {
    passed: [null, null, null, 0, null],
    short: { tool: ['sep-2322-result-type-included'] },
  },
  'input-required-result-tampered-state': {
    passed: [null, null, null, 0, null],
    short: { followUp: ['sep-2322-reject-tampered-state'] },
  },
  'input-required-result-unsupported-methods': { passed: [null, null, null, 1, null] },
  'input-required-result-validate-input': {
    passed: [null, null, null, 2, null],
    note: 'both hold because the tool that it calls is refused',
  },
  'json-schema-2020-12': { passed: [0, null, 0, 0, null], short: { tool: ['json-schema-2020-12-tool-found'] } },
  'logging-set-level': { passed: [0, 0, 0, null, null], short: { logging: ['logging-set-level'] } },
  ping: { passed: [1, 1, 1, null, null] },
  'prompts-get-embedded-resource': {
    passed: [0, 0, 0, 0, null],
    short: { prompts: ['prompts-get-embedded-resource'] },
  },
  'prompts-get-simple': { passed: [0, 0, 0, 0, null], short: { prompts: ['prompts-get-simple'] } },
  'prompts-get-with-args': { passed: [0, 0, 0, 0, null], short: { prompts: ['prompts-get-with-args'] } },
  'prompts-get-with-image': { passed: [0, 0, 0, 0, null], short: { prompts: ['prompts-get-with-image'] } },
  'prompts-list': { passed: [0, 0, 0, 0, null], short: { prompts: ['prompts-list'] } },
  'resources-list': { passed: [1, 1, 1, 1, null] },
  'resources-read-binary': { passed: [0, 0, 0, 0, null], short: { resource: ['resources-read-binary'] } },
  'resources-read-text': { passed: [0, 0, 0, 0, null], short: { resource: ['resources-read-text'] } },
  'resources-subscribe': { passed: [0, 0, 0, null, null], short: { subscribe: ['resources-subscribe'] } },
  'resources-templates-read': { passed: [0, 0, 0, 0, null], short: { resource: ['resources-templates-read'] } },
  'resources-unsubscribe': { passed: [0, 0, 0, null, null], short: { subscribe: ['resources-unsubscribe'] } },
  'sep-2164-resource-not-found': { passed: [null, null, null, 3, null] },
  'server-initialize': { passed: [1, 1, 1, null, null] },
  'server-session-lifecycle': { passed: [null, 0, 0, null, null], note: 'there are no sessions to end' },
  'server-sse-multiple-streams': {
    passed: [0, null, 0, 1, null],
    short: { sessions: ['server-sse-multiple-streams-session'] },
  },
  'server-sse-polling': {
    passed: [0, null, 0, null, null],
    short: { sessions: ['server-sse-polling-session', 'server-sse-priming-event', 'server-sse-retry-field'] },
  },
  'server-stateless': {
    passed: [null, null, null, 22, null],
    short: {
      tool: [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    },
  },
  'tools-call-audio': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-audio'] } },
  'tools-call-elicitation': { passed: [0, 0, 0, null, null], short: { tool: ['tools-call-elicitation'] } },
  'tools-call-embedded-resource': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-embedded-resource'] } },
  'tools-call-error': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-error'] } },
  'tools-call-image': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-image'] } },
  'tools-call-mixed-content': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-mixed-content'] } },
  'tools-call-sampling': { passed: [0, 0, 0, null, null], short: { tool: ['tools-call-sampling'] } },
  'tools-call-simple-text': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-simple-text'] } },
  'tools-call-with-logging': { passed: [0, 0, 0, null, null], short: { logging: ['tools-call-with-logging'] } },
  'tools-call-with-progress': { passed: [0, 0, 0, 0, null], short: { tool: ['tools-call-with-progress'] } },
  'tools-list': { passed: [1, 1, 2, 3, null] },
  'sep-2640-skills-directory': { passed: [null, null, null, null, 0], note: 'the skills extension is not offered' },
  'sep-2640-skills-enumeration': { passed: [null, null, null, null, 0], note: 'the skills extension is not offered' },
  'sep-2640-skills-manifest': { passed: [null, null, null, null, 0], note: 'the skills extension is not offered' },
  'tasks-capability-negotiation': {
    passed: [null, null, null, null, 0],
    short: {
      tasks: [
        'tasks-extension-advertised',
        'sep-2663-tasks-methods-non-declaring',
        'sep-2663-server-rejects-undeclared-client',
        'tasks-per-request-meta-opt-in',
      ],
    },
  },
  'tasks-dispatch-and-envelope': {
    passed: [null, null, null, null, 2],
    short: {
      tasks: [
        'tasks-server-directed-creation-no-hint',
        'sep-2663-legacy-task-param-ignored',
        'tasks-immediate-result-shortcut',
        'tasks-result-type-complete-on-non-task-responses',
        'sep-2663-durable-create-strong-consistency',
        'sep-2663-tasks-get-invalid-task-id-32602',
      ],
    },
  },
  'tasks-lifecycle': {
    passed: [null, null, null, null, 0],
    short: {
      tasks: [
        'tasks-sync-tool-call',
        'sep-2663-result-type-task-on-create',
        'sep-2663-tasks-get-status-working',
        'sep-2663-tasks-get-status-completed',
        'sep-2663-tool-error-uses-completed-status',
        'sep-2663-tasks-get-status-failed',
        'sep-2663-cancel-ack-empty-result',
        'tasks-cancel-terminal-idempotent-ack',
      ],
    },
  },
  'tasks-mrtr-composition': {
    passed: [null, null, null, null, 0],
    short: { tasks: ['sep-2663-mrtr-synchronous-before-task-creation'] },
  },
  'tasks-mrtr-input': {
    passed: [null, null, null, null, 0],
    short: {
      tasks: [
        'sep-2663-tasks-get-status-input-required',
        'tasks-mrtr-tasks-update-resumes',
        'tasks-mrtr-partial-fulfillment',
      ],
    },
  },
  'tasks-request-headers': {
    passed: [null, null, null, null, 1],
    short: {
      tasks: [
        'tasks-headers-tolerate-mcp-method-on-tools-call',
        'sep-2663-routing-headers-accepted-on-tasks-get',
        'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      ],
    },
  },
  'tasks-request-state-removal': {
    passed: [null, null, null, null, 0],
    short: { tasks: ['tasks-request-state-removal-setup'] },
  },
  'tasks-required-task-error': {
    passed: [null, null, null, null, 0],
    short: { tasks: ['sep-2663-server-returns-missing-capability-when-required'] },
  },
  'tasks-status-notifications': { passed: [null, null, null, null, 0], note: 'the package skips it itself' },
  'tasks-wire-fields': {
    passed: [null, null, null, null, 0],
    short: {
      tasks: ['tasks-wire-field-renames', 'tasks-no-early-ttl-expiry', 'tasks-no-related-task-meta-on-inlined-result'],
    },
  },
};
