{{- define "pricetape.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "pricetape.selector" -}}
app.kubernetes.io/name: pricetape
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "pricetape.labels" -}}
{{ include "pricetape.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* What the pods of every role share: the parts of their spec beside containers. */}}
{{- define "pricetape.podSpec" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: temporary
    emptyDir: {}
  - name: data
    emptyDir: {}
{{- end -}}

{{/* What the container of every role shares. It takes the root and the name of the settings' ConfigMap. */}}
{{- define "pricetape.container" -}}
{{- with .root.Values.image }}
image: {{ printf "%s:%s" .repository (.tag | default $.root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ .pullPolicy }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - configMapRef:
      name: {{ .settings }}
  - secretRef:
      name: {{ .root.Values.existingSecret }}
volumeMounts:
  - name: temporary
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end -}}

{{- define "pricetape.settings" -}}
{{- $all := dict "TEMPORAL_ADDRESS" .Values.temporal.address "TEMPORAL_NAMESPACE" .Values.temporal.namespace -}}
{{- $all = set $all "PRICETAPE_METRICS_HOST" "0.0.0.0" -}}
{{- $all = set $all "PRICETAPE_METRICS_PORT" (.Values.metrics.port | toString) -}}
{{- $all = set $all "LOG_FORMAT" "json" -}}
{{- if .Values.publicUrl }}{{ $all = set $all "PRICETAPE_PUBLIC_URL" .Values.publicUrl }}{{ end -}}
{{- if .Values.trustedProxies }}{{ $all = set $all "PRICETAPE_TRUSTED_PROXIES" .Values.trustedProxies }}{{ end -}}
{{- range $name, $value := .Values.settings }}{{ $all = set $all $name ($value | toString) }}{{ end -}}
{{- toYaml $all -}}
{{- end -}}

{{/* Nodes of one role on different machines and in different zones. It takes the root and the component. */}}
{{- define "pricetape.spread" -}}
{{- with .root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if .root.Values.topologySpreadConstraints }}
  {{- toYaml .root.Values.topologySpreadConstraints | nindent 2 }}
{{- else }}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "pricetape.selector" $.root | nindent 8 }}
        app.kubernetes.io/component: {{ $.component }}
{{- end }}
{{- end }}
{{- end -}}

{{/* How many pods a role has: as many as its processors need, or a number. It takes the root, the component and its values. */}}
{{- define "pricetape.autoscaler" -}}
{{- with .values.autoscaling }}
{{- if .enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "pricetape.name" $.root }}-{{ $.component }}
  labels:
    {{- include "pricetape.labels" $.root | nindent 4 }}
    app.kubernetes.io/component: {{ $.component }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "pricetape.name" $.root }}-{{ $.component }}
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .targetCPUUtilizationPercentage }}
  behavior:
    # Load comes with each check, every five minutes: a pod that stopped between two would be missing in the next.
    scaleDown:
      stabilizationWindowSeconds: 900
{{- end }}
{{- end }}
{{- end -}}
